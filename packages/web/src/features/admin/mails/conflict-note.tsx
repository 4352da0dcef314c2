import type { MailTemplate } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { Draft } from "./draft.ts";
import { TextDiff } from "./text-diff.tsx";

type Props = { template: MailTemplate; draft: Draft; takeTheirs(): void; keepMine(): void };

/** Says that another admin changed the mail while this one was editing it, and lets them choose. */
export function ConflictNote({ template, draft, takeTheirs, keepMine }: Props) {
  const by = template.edited_by;
  return (
    <div className="notice mt-4" role="alert">
      <p>
        {by === null
          ? t`Another admin changed this mail while you were editing it.`
          : t`${by} changed this mail while you were editing it.`}{" "}
        {t`This is what yours would change in it:`}
      </p>
      <TextDiff before={template} after={draft} />
      <div className="row wrapping mt-3">
        <button type="button" className="btn" onClick={takeTheirs}>
          {t`Drop mine`}
        </button>
        <button type="button" className="btn" onClick={keepMine}>
          {t`Go on with mine`}
        </button>
      </div>
    </div>
  );
}
