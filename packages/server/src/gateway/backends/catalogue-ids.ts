/** The host in front of a name of three parts. */
const REGISTRY_HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?\/(?=[^/]+\/[^/]+$)/i;

/**
 * The catalogue id of a backend's model: names without an owner get the backend's name as owner. llama-server without
 * an alias names its model by file path, of which only the file name is kept; Ollama puts the host of another registry in
 * front (`hf.co/owner/name:tag`), which is left out.
 */
export function toCatalogueId(backend: string, name: string): string {
  const isPath = /^([/\\.~]|[A-Za-z]:[/\\])/.test(name) || /\.gguf$/i.test(name);
  if (isPath && !name.includes("..")) return `${backend}/${toFileName(name)}`;
  if (!name.includes("/")) return `${backend}/${name}`;
  return name.replace(REGISTRY_HOST, "");
}

function toFileName(path: string): string {
  const file = path.split(/[/\\]/).at(-1) ?? path;
  return file.replace(/\.gguf$/i, "").replaceAll(/\s+/g, "-");
}
