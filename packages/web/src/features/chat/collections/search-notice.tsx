import { t } from "@lingui/core/macro";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";

type Props = {
  isSearching: boolean;
  failure: { error: unknown; again(): void; sendWithout(): void; giveUp(): void } | null;
};

/** Says above the buttons of the message that collections are searched, or why they could not be. */
export function SearchNotice({ isSearching, failure }: Props) {
  if (isSearching) return <p className="small muted">{t`Searching the collections …`}</p>;
  if (!failure) return null;
  return (
    <>
      <p className="small">{t`The collections could not be searched. Nothing was sent.`}</p>
      <ErrorNotice error={failure.error}>
        <div className="row wrapping mt-3">
          <button type="button" className="btn" onClick={failure.again}>
            {t`Search again`}
          </button>
          <button type="button" className="btn" onClick={failure.sendWithout}>
            {t`Send without passages`}
          </button>
          <button type="button" className="btn" onClick={failure.giveUp}>
            {t`Do not send`}
          </button>
        </div>
      </ErrorNotice>
    </>
  );
}
