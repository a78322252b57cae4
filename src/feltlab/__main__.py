"""`python -m feltlab` is the command `feltlab`."""

from feltlab.cli.main import main

if __name__ == "__main__":
    main()
