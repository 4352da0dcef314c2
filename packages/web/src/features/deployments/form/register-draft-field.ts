import type { DraftField } from "./draft.ts";
import { type DraftForm, errorsOfField } from "./draft-form.ts";

/** Registers a field of the form, and returns its props with its error messages. */
export const registerDraftField = (form: DraftForm, name: DraftField) => ({
  errors: errorsOfField(form, name),
  ...form.register(name),
});
