import { build } from './built.mjs';

// Builds dist/, lib/ and build/assize-client, as far as they were not built from these very files.
build('bundle');
build('packages');
