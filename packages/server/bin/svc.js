#!/usr/bin/env node
// Plain old JavaScript: this file must also parse on the Node versions it turns away.
const [major, minor] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 18) || (major === 23 && minor < 6)) {
  console.error(`svc needs Node.js 22.18 or newer; this is ${process.version}. See https://nodejs.org.`);
  process.exitCode = 1;
} else {
  import("../src/cli/svc.ts").then(({ main }) => main(process.argv.slice(2)));
}
