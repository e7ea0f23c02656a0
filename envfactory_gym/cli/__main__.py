"""`python -m envfactory_gym.cli` is `envfactory`."""

from .app import main

if __name__ == "__main__":
    main()
