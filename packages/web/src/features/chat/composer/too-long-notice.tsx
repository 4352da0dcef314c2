import { t } from "@lingui/core/macro";
import { formatContextLength, formatCount } from "#/lib/format.ts";

type Props = {
  tokens: number;
  context: number | null;
  /** Cuts the files so that they fit; null if they cannot be. */
  cut: (() => void) | null;
};

/** Warns before sending that the files do not fit into the model's context, and offers to cut them. */
export function TooLongNotice({ tokens, context, cut }: Props) {
  return (
    <p className="row wrapping small">
      <span>{t`This is about ${formatCount(tokens)} tokens, and the model takes ${formatContextLength(context)}.`}</span>
      {cut ? (
        <button type="button" className="btn" onClick={cut}>
          {t`Cut the files to fit`}
        </button>
      ) : null}
    </p>
  );
}
