import { lazy, Suspense } from "react";
import { Navigate, useParams } from "react-router-dom";
import { DocView } from "#/features/content/doc-view.tsx";
import { DocsLayout } from "#/features/content/docs-layout.tsx";

const Reference = lazy(async () => ({
  default: (await import("#/features/reference/reference-view.tsx")).ReferenceView,
}));

/** The docs: pages from Markdown, and the reference from the contract. */
export default function DocsPage() {
  const { "*": rest = "" } = useParams();
  const slug = rest.replace(/\/+$/, "");
  if (slug === "") return <Navigate to="/docs/quickstart" replace />;
  if (slug === "api" || slug.startsWith("api/"))
    return (
      <Suspense fallback={<DocsLayout>{null}</DocsLayout>}>
        <Reference tag={slug.slice("api/".length)} />
      </Suspense>
    );
  return <DocView slug={slug} />;
}
