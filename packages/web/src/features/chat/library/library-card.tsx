import type { Prompt } from "@feather/sdk";
import { promptVariables } from "@feather/sdk/prompts";
import { t } from "@lingui/core/macro";
import { Tag } from "#/components/ui/labels/tag.tsx";
import styles from "#/components/ui/lists/card-list.module.css";
import { formatRelativeTime } from "#/lib/format.ts";
import libraryStyles from "./library.module.css";

type Props = {
  prompt: Prompt;
  /** What can be done with it; null for those who can only use it. */
  actions: { change(prompt: Prompt): void; remove(prompt: Prompt): void } | null;
};

/** A prompt or persona: its kind, its text, its variables or its model, and when it was changed. */
export function LibraryCard({ prompt, actions }: Props) {
  const { kind, name, text, model, updated_at, updated_by_name, owner } = prompt;
  const changedAt = formatRelativeTime(updated_at);
  const variables = kind === "message" ? promptVariables(text).join(", ") : "";
  return (
    <li className={styles.card}>
      <div className={styles.head}>
        <h2 className={`h4 ${styles.name}`}>
          <bdi>{name}</bdi>
        </h2>
        <Tag>{kind === "message" ? t`prompt` : t`persona`}</Tag>
      </div>
      <p className={`small muted user-text ${libraryStyles.text}`}>{text}</p>
      {variables === "" ? null : <p className="small user-text">{t`Variables: ${variables}`}</p>}
      {model === null ? null : <p className="small user-text">{t`Model: ${model}`}</p>}
      <p className="small faint">
        {owner === "organization" && updated_by_name !== null
          ? t`changed ${changedAt} by ${updated_by_name}`
          : t`changed ${changedAt}`}
      </p>
      {actions ? (
        <div className="row wrapping">
          <button type="button" className="btn" aria-label={t`Change ${name}`} onClick={() => actions.change(prompt)}>
            {t`Change`}
          </button>
          <button
            type="button"
            className="btn ghost"
            aria-label={t`Delete ${name}`}
            onClick={() => actions.remove(prompt)}
          >
            {t`Delete`}
          </button>
        </div>
      ) : null}
    </li>
  );
}
