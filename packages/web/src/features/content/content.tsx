import { t } from "@lingui/core/macro";
import { Fragment, type ReactNode } from "react";
import { Link } from "react-router-dom";
import { CodeBlock, type Sample } from "./code-block.tsx";
import type { Token } from "./highlight.ts";
import type { Attributes, ContentNode } from "./types.ts";

/** The origin used in examples. It is replaced by the origin of the reader's server. */
const WRITTEN = "http://localhost:4000";

type Element = Exclude<ContentNode, string>;

/** Renders a compiled page. Only elements listed here are rendered. */
export function Content({
  nodes,
  origin = globalThis.location.origin,
}: {
  nodes: readonly ContentNode[];
  origin?: string;
}) {
  return <>{draw(nodes, origin)}</>;
}

function draw(nodes: readonly ContentNode[], origin: string): ReactNode {
  return nodes.map((node, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: pages do not change while they are shown
    return <Fragment key={index}>{typeof node === "string" ? node : drawElement(node, origin)}</Fragment>;
  });
}

function drawElement([tag, attributes, ...children]: Element, origin: string): ReactNode {
  const inner = () => draw(children, origin);
  const of = (name: string) => attributes?.[name];
  switch (tag) {
    case "code-block":
      return <CodeBlock samples={children.flatMap((child) => sampleOf(child, origin))} />;
    case "code":
      return <code>{children.join("").replaceAll(WRITTEN, origin)}</code>;
    case "a":
      return <ContentLink to={of("href") ?? ""}>{inner()}</ContentLink>;
    case "h2":
    case "h3":
    case "h4":
      return (
        <Anchored tag={tag} attributes={attributes}>
          {inner()}
        </Anchored>
      );
    case "table":
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables are scrolled by keyboard too
        <section className="doc-table" tabIndex={0} aria-label={t`Table`}>
          <table>{inner()}</table>
        </section>
      );
    case "th":
      return <th className={of("align") === "right" ? "n" : undefined}>{inner()}</th>;
    case "td":
      return <td className={of("align") === "right" ? "n" : undefined}>{inner()}</td>;
    case "img":
      return <img src={of("src")} alt={of("alt") ?? ""} loading="lazy" />;
    case "ol":
      return <ol start={of("start") ? Number(of("start")) : undefined}>{inner()}</ol>;
    case "br":
      return <br />;
    case "hr":
      return <hr />;
    default: {
      const Tag = PLAIN.find((name) => name === tag);
      return Tag ? <Tag>{inner()}</Tag> : inner();
    }
  }
}

const PLAIN = ["blockquote", "del", "em", "li", "p", "strong", "tbody", "thead", "tr", "ul"] as const;

function sampleOf(node: ContentNode, origin: string): Sample[] {
  if (typeof node === "string") return [];
  const [, attributes, ...parts] = node;
  const { name = "", lang = "", literal } = attributes ?? {};
  const tokens = parts.map((part): Token => {
    const [text, kind] = typeof part === "string" ? [part, null] : [part.slice(2).join(""), part[1]?.kind ?? null];
    return { text: literal === undefined ? text.replaceAll(WRITTEN, origin) : text, kind };
  });
  return [{ name, lang, tokens, code: tokens.map(({ text }) => text).join("") }];
}

function ContentLink({ to, children }: { to: string; children: ReactNode }) {
  if (to.startsWith("/") && !to.startsWith("/api/")) return <Link to={to}>{children}</Link>;
  const outside = /^https?:/i.test(to);
  return (
    <a href={to} {...(outside && { rel: "noopener noreferrer", target: "_blank" })}>
      {children}
    </a>
  );
}

function Anchored({
  tag: Tag,
  attributes,
  children,
}: {
  tag: "h2" | "h3" | "h4";
  attributes: Attributes | null;
  children: ReactNode;
}) {
  const id = attributes?.id;
  return (
    <Tag id={id}>
      {children}
      {id ? (
        <a className="anchor" href={`#${id}`} aria-label={t`Link to this section`}>
          #
        </a>
      ) : null}
    </Tag>
  );
}
