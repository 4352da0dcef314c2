import { createUuid } from "@feather/sdk";
import { useRef, useState } from "react";
import { tabStorage } from "#/lib/browser/storage.ts";
import { feather } from "#/lib/feather.ts";
import { type ReadDocument, readFile } from "../conversation/attachments.ts";
import type { Attachment } from "../conversation/types.ts";

/** A file of the message that is being written: it is being read until it has an attachment or a problem. */
export type DraftFile = {
  id: string;
  name: string;
  /** Bytes. */
  size: number;
  attachment: Attachment | null;
  problem: string | null;
  /** What the user has to know of the attachment. */
  note: string | null;
};

type Draft = { key: string; text: string; files: readonly DraftFile[] };

const storageKeyOf = (conversation: string | null): string => `chat-draft ${conversation ?? "new"}`;
const readDraft = (key: string): Draft => ({ key, text: tabStorage.get(key) ?? "", files: [] });
/** Longer than the server may take. */
const DOCUMENT_TIMEOUT_MS = 330_000;
/** Loads what draws pictures with the first one. */
const preparePicture = async (file: File, maxBytes: number): Promise<Blob> =>
  (await import("../conversation/prepare-picture.ts")).preparePicture(file, maxBytes);
const readDocument: ReadDocument = async (file, signal) =>
  feather.documents.read({ file }, { signal, timeout: DOCUMENT_TIMEOUT_MS });

/** The message being written, one per conversation. The text survives a reload and logging in. */
export function useDraft(conversation: string | null, acceptsImages: boolean) {
  const key = storageKeyOf(conversation);
  const [state, setState] = useState<Draft>(() => readDraft(key));
  const draft = state.key === key ? state : readDraft(key);
  if (draft !== state) setState(draft);
  const readings = useRef(new Map<string, AbortController>());

  function setFile(id: string, changes: Partial<DraftFile>): void {
    setState((now) => ({ ...now, files: now.files.map((file) => (file.id === id ? { ...file, ...changes } : file)) }));
  }

  async function read(file: File, id: string, attachedCount: number): Promise<void> {
    const reading = new AbortController();
    readings.current.set(id, reading);
    const { signal } = reading;
    const result = await readFile(file, { id, acceptsImages, attachedCount, readDocument, preparePicture, signal });
    readings.current.delete(id);
    setFile(id, result);
  }

  return {
    text: draft.text,
    files: draft.files,
    attachments: draft.files.flatMap(({ attachment }) => attachment ?? []),
    isReading: draft.files.some(({ attachment, problem }) => attachment === null && problem === null),
    setText(text: string): void {
      if (text === "") tabStorage.remove(key);
      else tabStorage.set(key, text);
      setState((now) => ({ ...now, text }));
    },
    /** Adds files to the message, and reads them one after the other. */
    async attach(files: readonly File[]): Promise<void> {
      const attachedCount = draft.files.filter(({ problem }) => problem === null).length;
      const added = files.map((file) => ({ file, id: createUuid() }));
      const chips = added.map(({ file: { name, size }, id }) => ({ ...UNREAD, id, name, size }));
      setState((now) => ({ ...now, files: [...now.files.filter(({ problem }) => problem === null), ...chips] }));
      for (const [index, { file, id }] of added.entries()) await read(file, id, attachedCount + index);
    },
    detach(id: string): void {
      readings.current.get(id)?.abort();
      setState((now) => ({ ...now, files: now.files.filter((one) => one.id !== id) }));
    },
    /** Replaces the attachments by shorter ones. */
    replace(attachments: readonly Attachment[]): void {
      for (const attachment of attachments) setFile(attachment.id, { attachment });
    },
    clear(): void {
      tabStorage.remove(key);
      setState({ key, text: "", files: [] });
    },
  };
}

const UNREAD = { attachment: null, problem: null, note: null };
