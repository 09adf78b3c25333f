"""What cleaning takes out of a description."""

from enum import StrEnum


class Removal(StrEnum):
    """A kind of text that says nothing about the task, or that a model could not use."""

    COMMENT = "comment"  # HTML; tags of layout too, but for the text between them
    SECTION = "section"  # of a template: left empty, answered with "no", or about something else than the change
    CHECKLIST = "checklist"
    IMAGE = "image"  # badges too
    TRAILER = "trailer"  # sign-offs, co-authors, change ids
    CHATTER = "chatter"  # of continuous integration and bots
    MENTION = "mention"
    QUOTE = "quote"  # of what somebody wrote before
    LINK = "link"  # the address; the text of a link stays
    SQUASH_LOG = "squash_log"  # subjects of squashed commits that say nothing
