// Ends `npm publish` and `pnpm publish` of a package, before anything is packed: see Releases in CONTRIBUTING.md.
console.error(
  "The scope @feather on the registry is not this project's. Servers give the packages out: /cli.tgz and /sdk.tgz.",
);
process.exit(1);
