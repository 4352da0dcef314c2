import { t } from "@lingui/core/macro";
import { Field } from "#/components/ui/forms/field.tsx";
import { SelectField } from "#/components/ui/forms/select-field.tsx";
import { TextareaField } from "#/components/ui/forms/textarea-field.tsx";
import styles from "./content-editor.module.css";
import type { ContentDraft } from "./draft.ts";
import { STATES } from "./labels.ts";

type Props = { draft: ContentDraft; change(fields: Partial<ContentDraft>): void };

/** The fields of a post or page. */
export function ContentFields({ draft, change }: Props) {
  const bind = (name: keyof ContentDraft) => ({
    name,
    value: draft[name],
    autoComplete: "off",
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });
  return (
    <>
      <Field label={t`Title`} maxLength={90} required {...bind("title")} />
      <Field
        label={t`Description`}
        hint={t`A sentence for lists and search engines.`}
        maxLength={240}
        required
        {...bind("description")}
      />
      <TextareaField
        label={t`Text`}
        hint={t`Markdown. HTML, scripts, and pictures of other servers are left out.`}
        className={`input ${styles.text}`}
        rows={20}
        maxLength={100_000}
        required
        {...bind("text")}
      />
      <Field label={t`Author`} maxLength={60} {...bind("author")} />
      <Field label={t`Tags`} hint={t`Separated by commas.`} maxLength={320} {...bind("tags")} />
      <SelectField
        label={t`State`}
        value={draft.state}
        onChange={(state) => change({ state: state === "draft" ? "draft" : "published" })}
        options={[
          { value: "draft", label: STATES.draft.label },
          { value: "published", label: STATES.published.label },
        ]}
      />
      <Field
        label={t`Date and time in UTC`}
        type="datetime-local"
        hint={t`A time to come schedules it. Without one it is published now.`}
        {...bind("publishedAt")}
      />
    </>
  );
}
