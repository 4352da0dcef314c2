import { Trans } from "@lingui/react/macro";
import { Streamdown } from "streamdown";
import styles from "./markdown-renderer.module.css";

/** Images are replaced by their alt text, so that no other server learns who reads the page; links send no referrer. */
const COMPONENTS = {
  img: ({ alt }: { alt?: string | undefined }) => (
    <span className="faint">
      <Trans>[picture{alt ? `: ${alt}` : ""}]</Trans>
    </span>
  ),
  a: ({ href, children }: React.JSX.IntrinsicElements["a"]) => (
    <a
      href={href && /^(https?:|mailto:|\/(?!\/)|#)/i.test(href) ? href : undefined}
      rel="noopener noreferrer nofollow"
      target="_blank"
    >
      {children}
    </a>
  ),
  code: ({ children }: React.JSX.IntrinsicElements["code"]) => <code>{children}</code>,
  table: ({ children }: React.JSX.IntrinsicElements["table"]) => (
    <div className={styles.table}>
      <table>{children}</table>
    </div>
  ),
  // Markdown tables without column names have empty header cells; as `td` they are not announced as headers.
  th: ({ children }: React.JSX.IntrinsicElements["th"]) =>
    isEmpty(children) ? <td className={styles.noHead} /> : <th scope="col">{children}</th>,
  pre: ({ children }: React.JSX.IntrinsicElements["pre"]) => <pre>{children}</pre>,
};

const isEmpty = (children: React.ReactNode): boolean =>
  children === undefined || children === null || children === "" || (Array.isArray(children) && children.length === 0);

/** Renders Markdown without raw HTML or scripts, also while it is being streamed. */
export function MarkdownRenderer({ text, streaming }: { text: string; streaming: boolean }) {
  return (
    <Streamdown components={COMPONENTS} controls={false} skipHtml mode={streaming ? "streaming" : "static"}>
      {text}
    </Streamdown>
  );
}
