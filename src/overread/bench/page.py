"""placeholder"""
def write_page(found, path): pass
