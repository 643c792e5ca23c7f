import { plugin as after } from '@tapjs/after';
import { plugin as afterEach } from '@tapjs/after-each';
import { type AssertOptions, plugin as asserts } from '@tapjs/asserts';
import { plugin as before } from '@tapjs/before';
import { plugin as beforeEach } from '@tapjs/before-each';
import {
  type PromiseWithSubtest,
  parseTestArgs,
  type TapPlugin,
  type TestArgs,
  TestBase,
  type TestBaseOpts,
} from '@tapjs/core';
import { plugin as fixture, type TestFixturesOptions } from '@tapjs/fixture';
import { plugin as intercept } from '@tapjs/intercept';

// The package @tapjs/test is what tap generates from a list of plugins, with the tools to generate it: TypeScript twice,
// and a builder of packages. This is its class for the plugins that tests use.

const plugins = [after, afterEach, asserts, before, beforeEach, fixture, intercept] as const;

type Added<P> = P extends readonly [infer Head extends (...args: never[]) => unknown, ...infer Rest]
  ? ReturnType<Head> & Added<Rest>
  : unknown;

export interface BuiltPlugins extends Added<typeof plugins> {}
export type TestOpts = TestBaseOpts & AssertOptions & TestFixturesOptions;

type Arguments = TestArgs<Test, TestOpts>;

export interface Test extends BuiltPlugins {
  readonly t: Test;
}

/** A test with the methods of the plugins. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor adds what the interface declares
export class Test extends TestBase {
  constructor(options: TestOpts) {
    super(options);
    Object.assign(this, { t: this });
    for (const plugin of plugins as readonly TapPlugin<object, TestOpts>[]) this.#add(plugin(this, options));
  }

  override main(end: () => void): void {
    // Only scripts/develop/test-domain.mjs has it: the package in its place sees by itself what a test has started.
    (this.hookDomain as { enter?: () => void }).enter?.();
    super.main(end);
  }

  #add(plugin: object): void {
    for (let at = plugin; at !== Object.prototype; at = Object.getPrototypeOf(at))
      for (const name of Reflect.ownKeys(at)) {
        if (Object.hasOwn(this, name) || name === 'constructor') continue;
        const value = Reflect.get(plugin, name);
        Object.defineProperty(
          this,
          name,
          typeof value === 'function'
            ? { value: value.bind(plugin), writable: true, configurable: true }
            : {
                get: () => Reflect.get(plugin, name),
                set: (to) => Reflect.set(plugin, name, to),
                configurable: true,
              },
        );
      }
  }

  pluginLoaded(plugin: unknown): boolean {
    return (plugins as readonly unknown[]).includes(plugin);
  }

  test(...args: Arguments): PromiseWithSubtest<Test> {
    return this.sub(Test, parseTestArgs<Test, TestOpts>(...args), this.test);
  }

  skip(...args: Arguments): PromiseWithSubtest<Test> {
    return this.sub(Test, { ...parseTestArgs<Test, TestOpts>(...args), skip: true }, this.skip);
  }
}
