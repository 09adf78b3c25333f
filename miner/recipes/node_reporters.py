"""Reporters that mocha and node:test write their results with: one line of JSON a test, as it ends.

The runners' own reporters differ between their versions (mocha's JSON goes to a file since 9.2; its XML names
no files before 10; node's JUnit names none at all), and write nothing when a run is cut short.
"""

MOCHA = """\
'use strict'
// Plain old JavaScript: it runs on every mocha and every Node.js.
var fs = require('fs')
var path = require('path')

module.exports = function Lines (runner) {
  var output = path.join(process.env.TEST_RESULTS, 'results.jsonl')
  function fileOf (runnable) {
    for (var at = runnable; at; at = at.parent) {
      if (at.file) return path.relative(process.cwd(), at.file).split(path.sep).join('/')
    }
    return ''
  }
  function write (test, result) {
    // Before mocha 6 the nameless suite around a file's tests adds a space.
    var line = { file: fileOf(test), name: test.fullTitle().replace(/^\\s+/, ''), result: result }
    fs.appendFileSync(output, JSON.stringify(line) + '\\n')
  }
  runner.on('pass', function (test) { write(test, 'passed') })
  runner.on('pending', function (test) { write(test, 'skipped') })
  runner.on('fail', function (test, error) {
    console.log('\\n' + test.fullTitle() + '\\n' + ((error && error.stack) || error))
    // A hook that fails is no test; the test it ran for did not pass, whatever was said of it before.
    var failed = test.type === 'hook' ? test.ctx && test.ctx.currentTest : test
    if (failed) write(failed, 'failed')
  })
  runner.on('end', function () {
    // What a test left open (a server, a timer) keeps the process alive; the results are written.
    var timer = setTimeout(function () { process.exit(runner.failures ? 1 : 0) }, 3000)
    if (timer.unref) timer.unref()
  })
}
"""

NODE = """\
import path from 'node:path'

// Events come in the order of the files; a test's parents have started before it and not ended.
export default async function * lines (source) {
  const titles = new Map()
  for await (const { type, data } of source) {
    const file = data.file ? path.relative(process.cwd(), data.file).split(path.sep).join('/') : ''
    if (type === 'test:start') {
      const above = (titles.get(file) ?? []).slice(0, data.nesting)
      titles.set(file, [...above, data.name])
    } else if (type === 'test:fail' || type === 'test:pass') {
      const above = (titles.get(file) ?? []).slice(0, data.nesting)
      if (data.details?.type === 'suite') continue
      // A file without tests is one test itself, named by its path.
      const isFile = data.nesting === 0 && data.file && path.resolve(data.name) === path.resolve(data.file)
      const skipped = data.skip !== undefined || data.todo !== undefined
      const result = skipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed'
      yield JSON.stringify({ file, name: isFile ? '(file)' : [...above, data.name].join(' '), result }) + '\\n'
    }
  }
}
"""
