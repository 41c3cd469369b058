"""`python -m slashgrammar` is the command `slashgrammar`."""

from slashgrammar.cli import main

if __name__ == "__main__":
    main()
