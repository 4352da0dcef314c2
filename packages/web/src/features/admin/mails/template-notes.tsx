import type { MailTemplate } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { TextDiff } from "./text-diff.tsx";

/** What an admin has to know about an edited mail: that it is not used, and that its default has changed. */
export function TemplateNotes({ template }: { template: MailTemplate }) {
  const { problem, earlier_default: earlier, is_edited, edited_languages, language } = template;
  return (
    <>
      {!is_edited && language !== "en" && edited_languages.includes("en") ? (
        <div className="notice mt-4" role="note">
          <p>{t`This mail is edited in English alone, so people get it in English until it is edited in their language too.`}</p>
        </div>
      ) : null}
      {problem === null ? null : (
        <div className="notice mt-4" role="note">
          <p>{t`These words cannot be used any more, so the default is sent. ${problem}`}</p>
        </div>
      )}
      {earlier === null ? null : (
        <details className="mt-4">
          <summary>{t`The default has changed since this mail was edited`}</summary>
          <TextDiff before={earlier} after={template.default} />
        </details>
      )}
    </>
  );
}
