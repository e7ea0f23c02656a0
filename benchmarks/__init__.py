"""What EnvFactory Gym costs on this machine: `python -m benchmarks`.

Every figure is measured when asked for, against alternatives measured in the same run. README.md
here says how to read them.
"""
