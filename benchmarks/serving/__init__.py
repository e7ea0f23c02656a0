"""What serving costs, in ratios of one run: the fleet beside an echo, a plain `MCPServer`, a process per episode.

The figure to trust is the server's CPU time per call, read from the scheduler (`processor`); rounds of all servers
are interleaved, so that a busy neighbour meets them all, and medians are reported. `python -m benchmarks.serving`
prints the table and says which targets are met.
"""
