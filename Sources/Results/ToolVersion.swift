/// The version that `--version` and all reports print.
package let toolVersion = "0.1.0"
