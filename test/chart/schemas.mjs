import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './helm.mjs';

// What the API of Kubernetes says of its objects: their schemas check types, formats and what must be there. Kubernetes drops fields that
// it does not know, so that a misspelt one has no effect: the declared types of the same package find those.

/** Where the package has each kind. */
const places = {
  'apps/v1 Deployment': 'apps/v1/Deployment',
  'autoscaling/v2 HorizontalPodAutoscaler': 'autoscaling/v2/HorizontalPodAutoscaler',
  'policy/v1 PodDisruptionBudget': 'policy/v1/PodDisruptionBudget',
  'v1 PersistentVolumeClaim': 'v1/PersistentVolumeClaim',
  'v1 Service': 'v1/Service',
};

function placeOf({ apiVersion, kind }) {
  const place = places[`${apiVersion} ${kind}`];
  if (!place) throw new Error(`${apiVersion} ${kind} has no schema here`);
  return { place, kind };
}

/** What is wrong with these objects; empty when nothing is. */
export async function mistakesIn(objects) {
  const mistakes = [];
  for (const object of objects) {
    const { place, kind } = placeOf(object);
    const { [kind]: Kind } = await import(`kubernetes-models/${place}`);
    try {
      new Kind(object).validate();
    } catch (error) {
      mistakes.push(`${kind}: ${error.message}`);
    }
  }
  return [...mistakes, ...unknownFields(objects)];
}

/** What the TypeScript compiler says when these objects are written as literals. */
function unknownFields(objects) {
  const folder = join(import.meta.dirname, 'node_modules/.cache/typed');
  mkdirSync(folder, { recursive: true });
  const lines = objects.flatMap((object, place) => {
    const { place: module, kind } = placeOf(object);
    return [
      `import type { I${kind} as Kind${place} } from 'kubernetes-models/${module}';`,
      `export const object${place}: Kind${place} = ${JSON.stringify(object)};`,
    ];
  });
  const file = join(folder, 'objects.ts');
  writeFileSync(file, lines.join('\n'));
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig'];
  const modules = ['--module', 'nodenext', '--target', 'es2022'];
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { status, stdout } = spawnSync(tsc, [...options, ...modules, file], { encoding: 'utf8' });
  return status === 0 ? [] : stdout.trim().split('\n');
}
