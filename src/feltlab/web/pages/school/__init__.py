"""The pages of the dealer school."""

from feltlab.web.pages.school import exam_steps, exams, manual, overview, practice, table

PARTS = (exam_steps, exams, manual, practice, table, overview)
