/// The version that `--version` and every report print.
package let toolVersion = "0.1.0"
