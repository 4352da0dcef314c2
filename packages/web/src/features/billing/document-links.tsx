import { t } from "@lingui/core/macro";

type Props = {
  path: string;
  number: string;
  /** Whether there is a file for programs too. */
  hasXml?: boolean;
};

/** The number of an invoice or credit note as a link to its page, and links to its files. `path` is that of the document. */
export function DocumentLinks({ path, number, hasXml = false }: Props) {
  return (
    <>
      <a className="link num" href={`${path}/page`} target="_blank" rel="noreferrer">
        {number}
      </a>{" "}
      <a className="link small" href={`${path}/pdf`} aria-label={t`${number} as PDF`} target="_blank" rel="noreferrer">
        {t`PDF`}
      </a>
      {hasXml ? (
        <>
          {" "}
          <a className="link small" href={`${path}/xml`} aria-label={t`${number} as XML`}>
            {t`XML`}
          </a>
        </>
      ) : null}
    </>
  );
}
