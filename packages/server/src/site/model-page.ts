import { escapeHtml } from "./markup.ts";
import type { PageMetadataOverrides } from "./page-metadata.ts";
import type { ShareCard } from "./share/share-card.ts";
import type { ListedModel } from "./site.repository.ts";
import { type Breadcrumb, createSchemaObject, type SchemaObject } from "./structured-data.ts";

/** Metadata of a model's page, and its content without scripts. */
export function describeModelPage(model: ListedModel, publicUrl: string): PageMetadataOverrides {
  const { id, description } = model;
  const path = `/models/${id}`;
  return {
    title: id,
    description,
    canonical: path,
    body: renderBody(model, publicUrl),
    card: createCard(model),
    breadcrumbs: createBreadcrumbs(model),
    schemaObject: toModelSchemaObject(model, path),
  };
}

function createBreadcrumbs({ id, family, familyId }: ListedModel): Breadcrumb[] {
  return [
    { name: "Models", path: "/models" },
    ...(family === null || familyId === null ? [] : [{ name: family, path: `/model-families/${familyId}` }]),
    { name: id, path: `/models/${id}` },
  ];
}

function toModelSchemaObject(
  { id, description, license, releasedDate, rating, reviewCount }: ListedModel,
  path: string,
): SchemaObject {
  return {
    ...createSchemaObject("SoftwareApplication", id, path),
    description,
    applicationCategory: "AI language model",
    author: { "@type": "Organization", name: ownerOf(id) },
    ...(license !== null && { license }),
    ...(releasedDate !== null && { datePublished: releasedDate }),
    ...(rating !== null &&
      reviewCount > 0 && { aggregateRating: { "@type": "AggregateRating", ratingValue: rating, reviewCount } }),
  };
}

function createCard({ id, family, parameterSize, contextLength, units, rating }: ListedModel): ShareCard {
  return {
    kind: "Model",
    owner: `${ownerOf(id)}/`,
    title: nameOf(id),
    text: null,
    facts: [
      ...(family === null ? [] : [{ label: "Family", value: family }]),
      { label: "Size", value: formatSize(parameterSize) },
      { label: "Context", value: formatContext(contextLength) },
      { label: "Units", value: `${units} a request`, units },
      ...(rating === null ? [] : [{ label: "Rating", value: `${rating.toFixed(1)} of 5` }]),
    ],
  };
}

function renderBody(
  { id, description, family, parameterSize, contextLength, units, license }: ListedModel,
  publicUrl: string,
): string {
  const facts: [string, string][] = [
    ["Family", family ?? "unknown"],
    ["Parameters", formatSize(parameterSize)],
    ["Context", formatContext(contextLength)],
    ["Units a request takes", String(units)],
    ["Licence", license ?? "unknown"],
  ];
  const rows = facts.map(([label, value]) => `<dt>${label}</dt><dd>${escapeHtml(value)}</dd>`).join("");
  return `<div class="wrap model-served"><p class="small dim mb-2"><a href="/models">Models</a></p>
<h1 class="h1"><span class="dim">${escapeHtml(ownerOf(id))}/</span>${escapeHtml(nameOf(id))}</h1>
<p class="prose mt-3">${escapeHtml(description)}</p><dl class="facts mt-5">${rows}</dl>
<div class="code mt-5"><pre><code>${escapeHtml(renderExampleCall(id, publicUrl))}</code></pre></div></div>`;
}

/** Returns the example call that the model's page shows. */
const renderExampleCall = (id: string, publicUrl: string) => `curl ${publicUrl}/v1/chat/completions \\
  -H "authorization: Bearer $FEATHER_API_KEY" \\
  -H "content-type: application/json" \\
  -d '{
    "model": "${id}",
    "messages": [{"role": "user",
                  "content": "Hello"}],
    "stream": true
  }'`;

const ownerOf = (id: string) => id.slice(0, id.indexOf("/"));
const nameOf = (id: string) => id.slice(id.indexOf("/") + 1);

/** Formats a number of parameters like the site: 7.6B, 33B, 1.0T, 494M. */
function formatSize(parameters: number | null): string {
  if (parameters === null) return "unknown";
  if (parameters >= 1e12) return `${(parameters / 1e12).toFixed(1)}T`;
  if (parameters >= 1e10) return `${Math.round(parameters / 1e9)}B`;
  return parameters >= 1e9 ? `${(parameters / 1e9).toFixed(1)}B` : `${Math.round(parameters / 1e6)}M`;
}

/** Formats a context length like the site: 40K tokens for 40,960. */
function formatContext(tokens: number | null): string {
  if (tokens === null) return "unknown";
  if (tokens >= 1_000_000) return `${(tokens / 1_048_576).toFixed(tokens % 1_048_576 === 0 ? 0 : 1)}M tokens`;
  return tokens >= 1000 ? `${Math.round(tokens / 1024)}K tokens` : `${tokens} tokens`;
}
