"""What must hold for every reading and every score: checked as shipped, counted, the worst cases named."""
