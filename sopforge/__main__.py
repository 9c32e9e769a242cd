"""Lets `python -m sopforge` do what the command `sopforge` does."""

from sopforge.cli import main

if __name__ == "__main__":
    main()
