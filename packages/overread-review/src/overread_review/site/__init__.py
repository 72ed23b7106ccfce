"""The web app: pages made on the server, one script for the editor, nothing from elsewhere."""
