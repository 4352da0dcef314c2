import { t } from "@lingui/core/macro";
/** Shown when content failed to load, with a button to retry. */
export function ContentLoadError({ retry }: { retry(): void }) {
  return (
    <div className="notice" role="alert">
      <p>{t`This page could not be loaded. Your connection may be gone.`}</p>
      <button type="button" className="btn mt-3" onClick={retry}>
        {t`Try again`}
      </button>
    </div>
  );
}
