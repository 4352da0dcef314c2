import { Trans } from "@lingui/react/macro";
import { Streamdown } from "streamdown";

/** Pictures from elsewhere would tell their owner who reads; links say nothing of where the reader came from. */
const COMPONENTS = {
  img: ({ alt }: { alt?: string | undefined }) => (
    <span className="dim">
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
    <div style={{ overflowX: "auto" }}>
      <table>{children}</table>
    </div>
  ),
  pre: ({ children }: React.JSX.IntrinsicElements["pre"]) => <pre>{children}</pre>,
};

/** Renders Markdown without running anything in it, also while it is still arriving. */
export function MarkdownRenderer({ text, streaming }: { text: string; streaming: boolean }) {
  return (
    <Streamdown components={COMPONENTS} controls={false} skipHtml mode={streaming ? "streaming" : "static"}>
      {text}
    </Streamdown>
  );
}
