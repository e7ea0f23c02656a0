"""The airline as an OpenEnv server: `uvicorn server.app:app --port 8000` in the folder above."""

from envfactory_gym.integrations.openenv import openenv_app

app = openenv_app("airline", sessions=64)
