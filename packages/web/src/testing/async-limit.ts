import { configure } from "@testing-library/react";

// `findBy…` and `waitFor` end a test that hangs; on a busy machine, the default of one second ends others too.
configure({ asyncUtilTimeout: 60_000 });
