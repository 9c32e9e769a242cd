"""Language models, reached by one small protocol: what is asked, recorded, paid for and logged.

Importing the package loads no vendor's library; the adapters do, each its own.
"""
