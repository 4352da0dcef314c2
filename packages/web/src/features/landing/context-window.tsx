import { t } from "@lingui/core/macro";
import { Plural } from "@lingui/react/macro";
import { CopyButton } from "#/components/ui/code/copy-button.tsx";
import { formatContextLength } from "#/lib/format.ts";

/** The number of tokens to enter as the context window, or that it is unknown, which leaves nothing to copy. */
export function ContextWindow({ tokens }: { tokens: number | null }) {
  if (tokens === null) return <span className="muted">{t`unknown`}</span>;
  return (
    <>
      <span className="num">
        <Plural value={tokens} one="# token" other="# tokens" />{" "}
        <span className="faint">({formatContextLength(tokens)})</span>
      </span>
      <CopyButton text={String(tokens)} className="plain end" />
    </>
  );
}
