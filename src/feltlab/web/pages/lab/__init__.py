"""The lab: proofs, pay-table designer, findings and downloads, for everyone."""

from feltlab.web.pages.lab import designer, downloads, findings, overview, progressives, proof, readings

PARTS = (overview, findings, downloads, designer, readings, progressives, proof)
