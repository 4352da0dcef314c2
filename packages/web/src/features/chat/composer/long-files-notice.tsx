import { t } from "@lingui/core/macro";
import { formatList } from "#/lib/format.ts";
import type { Attachment } from "../conversation/types.ts";

type Props = {
  files: readonly Attachment[];
  /** Cuts the files so that they fit; null if they cannot be. */
  cut: (() => void) | null;
};

/** Says of which files of the message only passages are sent, and offers to send their beginnings instead. */
export function LongFilesNotice({ files, cut }: Props) {
  const names = formatList(files.map(({ name }) => name));
  return (
    <p className="row wrapping small">
      <span className="user-text">{t`Too long to go whole: ${names}. The passages that go with your question are sent.`}</span>
      {cut ? (
        <button type="button" className="btn" onClick={cut}>
          {t`Cut the files to fit`}
        </button>
      ) : null}
    </p>
  );
}
