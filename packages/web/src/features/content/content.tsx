import type { Attributes, ContentNode } from "@feather/markdown/content-node";
import type { Token } from "@feather/markdown/highlight";
import { t } from "@lingui/core/macro";
import { Fragment, type ReactNode } from "react";
import { Link } from "react-router-dom";
import { CodeBlock, type CodeSample } from "#/components/ui/code/code-block.tsx";
import { useOrigin } from "#/lib/browser/use-origin.ts";
import styles from "./content.module.css";
import { EXAMPLE_ORIGIN } from "./example-origin.ts";

type Element = Exclude<ContentNode, string>;

/** Renders a compiled page. Only elements listed here are rendered. */
export function Content({ nodes }: { nodes: readonly ContentNode[] }) {
  const origin = useOrigin();
  return <>{renderNodes(nodes, origin)}</>;
}

function renderNodes(nodes: readonly ContentNode[], origin: string): ReactNode {
  return nodes.map((node, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: pages do not change while they are shown
    return <Fragment key={index}>{typeof node === "string" ? node : renderElement(node, origin)}</Fragment>;
  });
}

function renderElement([tag, attributes, ...children]: Element, origin: string): ReactNode {
  const inner = () => renderNodes(children, origin);
  const attribute = (name: string) => attributes?.[name];
  switch (tag) {
    case "code-block":
      return <CodeBlock samples={children.flatMap((child) => toSamples(child, origin))} />;
    case "code":
      return <code>{children.join("").replaceAll(EXAMPLE_ORIGIN, origin)}</code>;
    case "a":
      return <ContentLink to={attribute("href") ?? ""}>{inner()}</ContentLink>;
    case "h2":
    case "h3":
    case "h4":
      return (
        <AnchoredHeading tag={tag} attributes={attributes}>
          {inner()}
        </AnchoredHeading>
      );
    case "table":
      return (
        // A group, as there may be many of them: landmarks would need names of their own.
        // biome-ignore lint/a11y/useSemanticElements: it is no group of fields
        // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables are scrolled by keyboard too
        <div className={styles.docTable} role="group" tabIndex={0} aria-label={t`Table`}>
          <table>{inner()}</table>
        </div>
      );
    case "th":
      return <th className={attribute("align") === "right" ? "numeric" : undefined}>{inner()}</th>;
    case "td":
      return <td className={attribute("align") === "right" ? "numeric" : undefined}>{inner()}</td>;
    case "img":
      return <img src={attribute("src")} alt={attribute("alt") ?? ""} loading="lazy" />;
    case "ol":
      return <ol start={attribute("start") ? Number(attribute("start")) : undefined}>{inner()}</ol>;
    case "br":
      return <br />;
    case "hr":
      return <hr />;
    default: {
      const Tag = PLAIN_ELEMENTS.find((name) => name === tag);
      return Tag ? <Tag>{inner()}</Tag> : inner();
    }
  }
}

const PLAIN_ELEMENTS = ["blockquote", "del", "em", "li", "p", "strong", "tbody", "thead", "tr", "ul"] as const;

function toSamples(node: ContentNode, origin: string): CodeSample[] {
  if (typeof node === "string") return [];
  const [, attributes, ...parts] = node;
  const { name = "", lang = "", literal } = attributes ?? {};
  const tokens = parts.map((part): Token => {
    const [text, kind] = typeof part === "string" ? [part, null] : [part.slice(2).join(""), part[1]?.kind ?? null];
    return { text: literal === undefined ? text.replaceAll(EXAMPLE_ORIGIN, origin) : text, kind };
  });
  return [{ name, lang, tokens, code: tokens.map(({ text }) => text).join("") }];
}

function ContentLink({ to, children }: { to: string; children: ReactNode }) {
  if (to.startsWith("/") && !to.startsWith("/api/")) return <Link to={to}>{children}</Link>;
  const isExternal = /^https?:/i.test(to);
  return (
    <a href={to} {...(isExternal && { rel: "noopener noreferrer", target: "_blank" })}>
      {children}
    </a>
  );
}

function AnchoredHeading({
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
        <a className={styles.anchor} href={`#${id}`} aria-label={t`Link to this section`}>
          #
        </a>
      ) : null}
    </Tag>
  );
}
