import { createReadStream } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { bind } from "../../platform/core/bind.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { isModelId } from "../../platform/core/models/model-ids.ts";
import type { Hub, HubDownload, HubFile, HubMatch, HubModel, HubRange } from "./hub.ts";
import { parseConfig } from "./model-card.ts";
import { type ReadCard, toShownReadme } from "./read-card.ts";

const REVISION = "folder";
const MAX_TEXT_BYTES = 2 * 1024 * 1024;
const MAX_MATCHES = 20;

type Context = { root: string; readCard: ReadCard };

/** Creates a model hub in a local folder: `owner/name/` contains the files of a repository. No repository is gated. */
export function createFolderHub(context: Context): Hub {
  return { isComplete: false, ...bind(context, { model: readModel, findQuantized, download: openFile, verifyAccess }) };
}

type ModelAccess = { signal?: AbortSignal | undefined; account?: string | undefined };

async function readModel(
  { root, readCard }: Context,
  requestedId: string,
  { signal, account }: ModelAccess = {},
): Promise<HubModel> {
  const { id, folder } = await resolveModel(root, requestedId);
  const files = await listFiles(folder);
  const [card, config, { mtime }] = await Promise.all([
    readText(folder, files, "README.md"),
    readText(folder, files, "config.json"),
    stat(folder),
  ]);
  const parsed = await readCard({ text: card ?? "", hasFrontMatter: true }, { signal, account });
  const { facts, summary } = parsed;
  const { baseModelRelation, ...columns } = facts;
  // GGUF files of a base model count as quantized unless the card states otherwise, as on the Hugging Face Hub.
  const isQuantized = baseModelRelation === "quantized" || (baseModelRelation === null && files.some(isGguf));
  return {
    ...columns,
    quantizedFrom: isQuantized ? facts.baseModel : null,
    id,
    revision: REVISION,
    gated: false,
    private: false,
    task: null,
    downloads: null,
    likes: null,
    createdAt: null,
    updatedAt: mtime,
    files,
    config: parseConfig(config),
    readme: card === null ? null : toShownReadme(parsed),
    summary,
    ggufArchitecture: null,
    parameters: null,
  };
}

const isGguf = ({ path }: HubFile): boolean => path.toLowerCase().endsWith(".gguf");

/** Returns the repositories of the folder whose cards say that they are quantized from a model. */
async function findQuantized(context: Context, id: string): Promise<HubMatch[]> {
  const { root } = context;
  const matches: HubMatch[] = [];
  for (const owner of await listFolders(root))
    for (const name of await listFolders(join(root, owner))) {
      const found = `${owner}/${name}`;
      const model = isModelId(found) ? await readModel(context, found).catch(() => null) : null;
      const isMatch = model?.quantizedFrom?.toLowerCase() === id.toLowerCase() && model.files.some(isGguf);
      if (isMatch) matches.push({ id: found, downloads: null });
      if (matches.length === MAX_MATCHES) return matches;
    }
  return matches;
}

async function listFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.flatMap((entry) => (entry.isDirectory() && !entry.name.startsWith(".") ? [entry.name] : []));
}

async function openFile(
  { root }: Context,
  requestedId: string,
  path: string,
  { from = 0 }: HubRange = {},
): Promise<HubDownload> {
  const { folder } = await resolveModel(root, requestedId);
  const file = await resolveFile(folder, path);
  const { size } = await stat(file);
  // Always sends the rest of the file: one stream reads a disk faster than several.
  const body = createReadStream(file, { start: from });
  return { size, sha256: null, etag: null, revision: REVISION, from, to: size, body };
}

async function verifyAccess({ root }: Context, requestedId: string): Promise<{ user: null }> {
  await resolveModel(root, requestedId);
  return { user: null };
}

/** Returns the folder of a model by an id in any letter case, and the id in the folders' spelling. */
async function resolveModel(root: string, id: string): Promise<{ id: string; folder: string }> {
  const notFoundError = () => errors.hub.notFound({ subject: `model ${id}` });
  if (!isModelId(id)) throw notFoundError();
  let folder = root;
  const names: string[] = [];
  for (const part of id.split("/")) {
    const entries = await readdir(folder).catch((): string[] => []);
    const name = entries.includes(part) ? part : entries.find((entry) => entry.toLowerCase() === part.toLowerCase());
    if (name === undefined) throw notFoundError();
    names.push(name);
    folder = join(folder, name);
  }
  return { id: names.join("/"), folder };
}

/** Returns the real path of a file. Throws `hub.not_found` if symbolic links lead out of the model's folder. */
async function resolveFile(folder: string, path: string): Promise<string> {
  const notFoundError = () => errors.hub.notFound({ subject: `file ${path}` });
  const [base, file] = await Promise.all([realpath(folder), realpath(join(folder, path))]).catch(() => {
    throw notFoundError();
  });
  const relativePath = relative(base, file);
  if (relativePath === "" || relativePath.startsWith("..") || path.includes("\0")) throw notFoundError();
  return file;
}

async function listFiles(folder: string): Promise<HubFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith("."));
  return Promise.all(
    files.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      return {
        path: relative(folder, path).split(sep).join("/"),
        size: (await stat(path)).size,
        sha256: null,
      };
    }),
  );
}

async function readText(folder: string, files: readonly HubFile[], path: string): Promise<string | null> {
  const file = files.find((known) => known.path === path);
  return file && file.size <= MAX_TEXT_BYTES ? readFile(await resolveFile(folder, path), "utf8") : null;
}
