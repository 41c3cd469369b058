"""Do the tests notice when the code is wrong? Changes one word of the package at a time, and runs its tests.

See `python -m tests.mutants --help`.
"""
