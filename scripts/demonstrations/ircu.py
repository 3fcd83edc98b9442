"""x"""
FINDINGS = []
