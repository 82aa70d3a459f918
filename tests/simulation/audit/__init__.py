"""The auditor: knows only the promises, and shares no code with what it audits.

It imports nothing of Parlour's. What players were told comes to it as plain values, what is stored
as rows of plain SQL, and what follows from the rules it works out by itself.
"""
