"""What the kernel holds: one module a mechanism, each with a function that puts it around this process."""
