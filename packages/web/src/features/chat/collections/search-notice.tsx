import { t } from "@lingui/core/macro";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";

type Props = {
  isSearching: boolean;
  /** Whether long files are searched, and not collections alone. */
  hasFiles: boolean;
  /** Why passages may be missing that go with the last question, in sentences. */
  problems: readonly string[];
  /** `sendWithout` is null where the message cannot be sent without passages. */
  failure: { error: unknown; again(): void; sendWithout: (() => void) | null; giveUp(): void } | null;
};

/** Says above the buttons of the message that collections and long files are searched, or why they could not be. */
export function SearchNotice({ isSearching, hasFiles, problems, failure }: Props) {
  if (isSearching)
    return <p className="small muted">{hasFiles ? t`Searching for passages …` : t`Searching the collections …`}</p>;
  if (!failure)
    return problems.map((problem) => (
      <p key={problem} className="small muted user-text">
        {problem}
      </p>
    ));
  return (
    <>
      <p className="small">
        {hasFiles
          ? t`The search for passages failed. Nothing was sent.`
          : t`The collections could not be searched. Nothing was sent.`}
      </p>
      <ErrorNotice error={failure.error}>
        <div className="row wrapping mt-3">
          <button type="button" className="btn" onClick={failure.again}>
            {t`Search again`}
          </button>
          {failure.sendWithout ? (
            <button type="button" className="btn" onClick={failure.sendWithout}>
              {t`Send without passages`}
            </button>
          ) : null}
          <button type="button" className="btn" onClick={failure.giveUp}>
            {t`Do not send`}
          </button>
        </div>
      </ErrorNotice>
    </>
  );
}
