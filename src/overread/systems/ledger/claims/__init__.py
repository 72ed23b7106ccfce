"""What a finding claims: its name, its place, its details, and its mentions as one."""
