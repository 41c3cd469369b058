"""Do the tests notice when the code is wrong? See README.md."""
