import { t } from "@lingui/core/macro";

/** The number of an invoice or credit note as a link to its page, and a link to the PDF. `path` is that of the document. */
export function DocumentLinks({ path, number }: { path: string; number: string }) {
  return (
    <>
      <a className="link num" href={`${path}/page`} target="_blank" rel="noreferrer">
        {number}
      </a>{" "}
      <a className="link small" href={`${path}/pdf`} aria-label={t`${number} as PDF`} target="_blank" rel="noreferrer">
        {t`PDF`}
      </a>
    </>
  );
}
