import { z } from "zod";
import type { SettingDeclarations, SettingsOf } from "../../platform/core/settings.ts";

/** The most that the contract lets a document have. */
const MAX_MEGABYTES = 20;
const MAX_PAGES = 100_000;
/** The most that a file of a stored chat may hold, with room for a note that it was cut. */
const MAX_CHARACTERS = 5_900_000;

/** The limits of documents whose text people ask for. */
export const documentSettings = {
  megabytes: {
    env: "FEATHER_DOCUMENT_MEGABYTES",
    doc: "How many megabytes (of 1,048,576 bytes) a document may have whose text is read for a chat or a call.",
    schema: z.coerce.number().int().min(1).max(MAX_MEGABYTES),
    default: "20",
    editable: true,
  },
  pages: {
    env: "FEATHER_DOCUMENT_PAGES",
    doc: "How many pages of a PDF, or sheets of a workbook, are read; the text of longer documents ends there and says so.",
    schema: z.coerce.number().int().min(1).max(MAX_PAGES),
    default: "500",
    editable: true,
  },
  characters: {
    env: "FEATHER_DOCUMENT_CHARACTERS",
    doc: "How many characters the text of a document may have; longer texts end there and say so.",
    schema: z.coerce.number().int().min(1_000).max(MAX_CHARACTERS),
    default: "2000000",
    editable: true,
  },
  seconds: {
    env: "FEATHER_DOCUMENT_SECONDS",
    doc: "How many seconds reading a document may take.",
    schema: z.coerce.number().int().min(1).max(300),
    default: "20",
    editable: true,
  },
  memoryMegabytes: {
    env: "FEATHER_DOCUMENT_MEMORY_MEGABYTES",
    doc: "How many megabytes of memory the process that reads a document may take; two can run at a time. Half of it is for the heap.",
    schema: z.coerce.number().int().min(256).max(16_384),
    default: "1024",
    editable: true,
  },
  unpackedMegabytes: {
    env: "FEATHER_DOCUMENT_UNPACKED_MEGABYTES",
    doc: "How many megabytes what is read of a DOCX or XLSX may take when it is unpacked.",
    schema: z.coerce.number().int().min(1).max(1_000),
    default: "100",
    editable: true,
  },
} as const satisfies SettingDeclarations;

/** The limits of documents whose text people ask for. */
export type DocumentSettings = SettingsOf<typeof documentSettings>;
