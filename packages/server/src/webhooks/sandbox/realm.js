// biome-ignore-all lint/style/useTemplate: see below, template literals call a method
/**
 * What stands around a transform inside of its machine: evaluated in QuickJS before any code of the user, never in
 * Node. It keeps every intrinsic it needs, so that code which replaces JSON.stringify or Array.prototype can spoil
 * nothing but its own result. For the same reason it calls no method by its name after that, appends to no array, and
 * collects what it makes in strings; and it has no template literals, which the engine makes by calling `concat`.
 *
 * Evaluates to a function that takes `print(text)` of the host and returns what the host calls.
 */
(print) => {
  const { parse, stringify } = JSON;
  const { apply, ownKeys, getOwnPropertyDescriptor } = Reflect;
  const { isArray } = Array;
  const { is } = Object;
  const { imul } = Math;
  const ErrorType = Error;
  const TypeErrorType = TypeError;
  const DateType = Date;
  const RegExpType = RegExp;
  const MapType = Map;
  const SetType = Set;
  const PromiseType = Promise;
  const toText = String;
  const bind =
    (method) =>
    (self, ...args) =>
      apply(method, self, args);
  const slice = bind(String.prototype.slice);
  const includes = bind(String.prototype.includes);
  const dateText = bind(Date.prototype.toISOString);
  const dateTime = bind(Date.prototype.getTime);
  const regexText = bind(RegExp.prototype.toString);
  const symbolText = bind(Symbol.prototype.toString);
  const sizeOfMap = bind(getOwnPropertyDescriptor(Map.prototype, "size").get);
  const sizeOfSet = bind(getOwnPropertyDescriptor(Set.prototype, "size").get);
  const hasInstance = bind(Function.prototype[Symbol.hasInstance]);

  delete globalThis.SharedArrayBuffer;
  delete globalThis.Atomics;
  delete globalThis.performance;

  // Random numbers from seeds that the host gives to each call: the engine's own would repeat with the memory.
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const random32 = () => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  const seed = (first, second) => {
    a = first | 0;
    b = second | 0;
    c = imul(a ^ b, 0x9e3779b1);
    d = 1;
    for (let round = 0; round < 12; round++) random32();
  };
  Math.random = {
    random: () => (random32() * 0x200000 + (random32() >>> 11)) / 0x20000000000000,
  }.random;

  // --- console -----------------------------------------------------------------------------------------------------

  const MAX_LINES = 100;
  const MAX_CHARACTERS = 16 * 1024;
  let lines = 0;
  let characters = 0;
  /** Characters that the value being shown may still take. */
  let room = 0;

  const spend = (text) => {
    const kept = text.length > room ? slice(text, 0, room) + "…" : text;
    room -= kept.length;
    return kept;
  };

  const nameOf = (fn) => {
    const descriptor = getOwnPropertyDescriptor(fn, "name");
    return descriptor !== undefined && typeof descriptor.value === "string" ? descriptor.value : "";
  };

  const isIdentifier = bind(RegExp.prototype.exec);
  const identifier = /^[A-Za-z_$][\w$]*$/;

  const showString = (text) => {
    const quoted = stringify(text.length > room ? slice(text, 0, room) : text);
    return includes(text, "'") || includes(text, '"') ? quoted : "'" + slice(quoted, 1, -1) + "'";
  };

  const show = (value, depth) => {
    if (room <= 0) return "…";
    switch (typeof value) {
      case "string":
        return spend(depth === 0 ? value : showString(value));
      case "number":
        return spend(is(value, -0) ? "-0" : toText(value));
      case "bigint":
        return spend("" + value + "n");
      case "symbol":
        return spend(symbolText(value));
      case "function": {
        const name = nameOf(value);
        return spend(name === "" ? "[Function (anonymous)]" : "[Function: " + name + "]");
      }
      case "object":
        return value === null ? spend("null") : showObject(value, depth);
      default:
        return spend(toText(value));
    }
  };

  const showObject = (value, depth) => {
    if (hasInstance(ErrorType, value)) return spend(errorText(value));
    if (hasInstance(DateType, value))
      return spend(is(dateTime(value), NaN) ? "Invalid Date" : dateText(value));
    if (hasInstance(RegExpType, value)) return spend(regexText(value));
    if (hasInstance(PromiseType, value)) return spend("Promise {}");
    if (hasInstance(MapType, value)) return spend("Map(" + sizeOfMap(value) + ")");
    if (hasInstance(SetType, value)) return spend("Set(" + sizeOfSet(value) + ")");
    const list = isArray(value);
    if (depth > 2) return spend(list ? "[Array]" : "[Object]");
    const keys = ownKeys(value);
    let text = "";
    let shown = 0;
    for (let index = 0; index < keys.length && room > 0; index++) {
      const key = keys[index];
      const property = getOwnPropertyDescriptor(value, key);
      if (property === undefined || !property.enumerable) continue;
      if (shown++ > 0) text += spend(", ");
      if (shown > 100) {
        text += "…";
        break;
      }
      if (typeof key === "symbol") text += spend("[" + symbolText(key) + "]: ");
      else if (isIdentifier(identifier, key) !== null) text += spend("" + key + ": ");
      else if (!list) text += spend("" + showString(key) + ": ");
      text += "value" in property ? show(property.value, depth + 1) : spend("[Getter]");
    }
    if (shown === 0) return list ? "[]" : "{}";
    return list ? "[ " + text + " ]" : "{ " + text + " }";
  };

  /** A property as text, whatever it takes to read it; empty when it is none. */
  const textOf = (object, key, max) => {
    try {
      const value = object[key];
      return typeof value === "string" ? slice(value, 0, max) : "";
    } catch {
      return "";
    }
  };

  const errorText = (error) => {
    const name = textOf(error, "name", 200);
    const message = textOf(error, "message", 2_000);
    return message === "" ? name : "" + name + ": " + message;
  };

  const printer = (level) => {
    const method = {
      [level](...values) {
        if (lines > MAX_LINES || characters > MAX_CHARACTERS) return;
        room = MAX_CHARACTERS - characters;
        let text = "";
        for (let index = 0; index < values.length; index++) {
          if (index > 0) text += " ";
          try {
            text += show(values[index], 0);
          } catch {
            text += "[unreadable]";
          }
        }
        lines++;
        characters += text.length;
        if (lines > MAX_LINES || characters > MAX_CHARACTERS) {
          // Past the bounds for good: the host adds that there was more.
          characters = MAX_CHARACTERS + 1;
          if (lines > MAX_LINES) text = "";
          print("cut " + level + " " + slice(text, 0, MAX_CHARACTERS));
        } else print("" + level + " " + text);
      },
    };
    return method[level];
  };
  globalThis.console = {
    log: printer("log"),
    info: printer("info"),
    warn: printer("warn"),
    error: printer("error"),
    debug: printer("debug"),
  };

  // --- calls of the host -------------------------------------------------------------------------------------------

  const settle = async (value) => await value;

  return {
    seed,
    /** @returns what transform returned, or a promise of ours for it */
    start(transform, evt, headers, queryParams, raw, first, second) {
      seed(first, second);
      const value = transform(parse(evt), parse(headers), parse(queryParams), raw);
      const object = (typeof value === "object" && value !== null) || typeof value === "function";
      return object && typeof value.then === "function" ? settle(value) : value;
    },
    /** @returns JSON text; null when there is nothing */
    write(value) {
      if (value === undefined || value === null) return null;
      const text = stringify(value);
      if (text === undefined)
        throw new TypeErrorType("transform returned a " + typeof value + ", which is not JSON.");
      return text;
    },
    /** @returns JSON text of what was thrown, whatever that may be */
    describe(thrown) {
      if ((typeof thrown === "object" && thrown !== null) || typeof thrown === "function") {
        const stack = textOf(thrown, "stack", 8_000);
        const name = textOf(thrown, "name", 200);
        const message = textOf(thrown, "message", 2_000);
        if (stack !== "" || message !== "" || name !== "") {
          return (
            "[" +
            stringify(name === "" ? "Error" : name) +
            "," +
            stringify(message) +
            "," +
            stringify(stack) +
            "]"
          );
        }
      }
      room = 1_000;
      let shown = "something that cannot be read";
      try {
        shown = show(thrown, 1);
      } catch {
        // The sentence above says it.
      }
      return '["Error",' + stringify("The code threw " + shown + ", which is no Error.") + ',""]';
    },
  };
};
